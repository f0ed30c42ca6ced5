/** Parts of the page that not everybody sees, fetched when one of them is first shown. */
import type { ComponentType, VNode } from 'preact'

import { errorWords } from '../i18n/error-words.ts'
import { t } from '../i18n/i18n.ts'
import { useResource } from '../state/resource.ts'
import { Failure, Loading } from './conditions.tsx'

export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let known: ComponentType<P> | undefined
  return function Later(props: P): VNode {
    const { error, reload } = useResource(known === undefined ? 'part' : undefined, async () => {
      known = await load()
      return true
    })
    const Part = known
    if (Part !== undefined) return <Part {...props} />
    if (error === undefined) return <Loading />
    return <Failure title={t('state.noServer')} message={errorWords(error)} onRetry={reload} />
  }
}
