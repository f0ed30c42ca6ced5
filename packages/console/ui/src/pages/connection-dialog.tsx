/** The common part of the dialogs for a registry and for a data source: test, save, and the reason of a failure. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'

import type { ConnectionTest } from '../../../src/contract/registries.ts'
import { toApiError } from '../api/api-error.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { errorText } from '../i18n/error-text.ts'
import { t } from '../i18n/i18n.ts'

export function ConnectionDialog(props: {
  readonly title: string
  /** Why the input cannot be tested or saved. */
  readonly missing: string | undefined
  readonly onTest: () => Promise<ConnectionTest>
  readonly onSave: () => Promise<unknown>
  readonly onClose: () => void
  readonly children: ComponentChildren
}): VNode {
  const { title, missing, onTest, onSave, onClose, children } = props
  const busy = useSignal<'test' | 'save' | undefined>(undefined)
  const answer = useSignal<ConnectionTest | undefined>(undefined)
  const attempt = async (what: 'test' | 'save', action: () => Promise<void>): Promise<void> => {
    busy.value = what
    answer.value = undefined
    try {
      await action()
    } catch (thrown) {
      const { message: reason, code, messageParts } = toApiError(thrown)
      answer.value = { ok: false, reason, code, messageParts }
    } finally {
      busy.value = undefined
    }
  }
  const test = (): Promise<void> =>
    attempt('test', async () => {
      answer.value = await onTest()
    })
  const save = (): Promise<void> =>
    attempt('save', async () => {
      await onSave()
      onClose()
    })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button
            icon="link"
            reason={missing}
            busy={busy.value === 'test'}
            onClick={() => void test()}
          >
            {t('connection.test')}
          </Button>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            kind="main"
            reason={missing}
            busy={busy.value === 'save'}
            onClick={() => void save()}
          >
            {t('action.save')}
          </Button>
        </>
      }
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (missing === undefined) void save()
        }}
      >
        {children}
      </form>
      {answer.value !== undefined && (
        <p class={`notice hostile ${answer.value.ok ? 'good' : 'bad'}`} role="alert">
          <strong>{t(answer.value.ok ? 'connection.works' : 'connection.fails')}</strong>{' '}
          {errorText({
            message: answer.value.reason ?? answer.value.found ?? '',
            ...answer.value,
          })}
        </p>
      )}
    </Dialog>
  )
}
