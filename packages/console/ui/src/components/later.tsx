/** Parts of the page that most users do not open, loaded when one of them is first shown. */
import type { VNode } from 'preact'

import { errorText } from '../i18n/error-text.ts'
import { t } from '../i18n/i18n.ts'
import { useResource } from '../state/resource.ts'
import { Failure, Loading } from './conditions.tsx'

type Part<P> = (props: P) => VNode

export function later<P extends object>(load: () => Promise<Part<P>>): Part<P> {
  let known: Part<P> | undefined
  return function Later(props: P): VNode {
    const { error, reload } = useResource(known === undefined ? 'part' : undefined, async () => {
      known = await load()
      return true
    })
    const Known = known
    if (Known !== undefined) return <Known {...props} />
    if (error === undefined) return <Loading />
    return <Failure title={t('state.noServer')} message={errorText(error)} onRetry={reload} />
  }
}
