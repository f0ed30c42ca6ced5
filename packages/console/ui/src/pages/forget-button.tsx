import type { VNode } from 'preact'

import { Button } from '../components/button.tsx'
import { confirm } from '../components/confirmation.tsx'
import { t } from '../i18n/i18n.ts'
import { printable } from '../text/printable.ts'

/** Removes an entry from the console's own lists; the registry or database itself is not changed. */
export function ForgetButton(props: {
  readonly name: string
  readonly reason: string | undefined
  readonly consequence: string
  readonly forget: () => Promise<unknown>
  readonly onDone: () => void
}): VNode {
  const { name, reason, consequence, forget, onDone } = props
  return (
    <Button
      kind="quiet"
      icon="remove"
      label={`${t('action.forget')}: ${printable(name)}`}
      reason={reason}
      onClick={() =>
        confirm(
          {
            id: 'forget',
            title: t('action.forget'),
            icon: 'remove',
            danger: true,
            consequences: [consequence],
            perform: async () => {
              await forget()
              // Without a translation the text is shown: a name is the same in every language.
              const messageParts = { code: '', parameters: {} }
              return {
                action: 'remove',
                done: [{ jobName: '', text: printable(name), messageParts }],
                unchanged: [],
                skipped: [],
                failed: [],
              }
            },
          },
          name,
          onDone,
        )
      }
    />
  )
}
