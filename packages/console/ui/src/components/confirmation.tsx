/** Asks for confirmation with the effects of an action, and shows its result. */
import { signal, useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import type { Omission, OperationResult } from '../../../src/contract/results.ts'
import type { Action } from '../actions/action.ts'
import { type ApiError, toApiError } from '../api/api-error.ts'
import { errorText } from '../i18n/error-text.ts'
import { t } from '../i18n/i18n.ts'
import { messagesReady, messageText } from '../i18n/message-text.ts'
import { printable } from '../text/printable.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { tell } from './toasts.tsx'

const asked = signal<
  | { readonly action: Action; readonly about: string; readonly onDone: (() => void) | undefined }
  | undefined
>(undefined)

/** `about`: the name of the target. `onDone`: called when the action is done. */
export function confirm(action: Action, about: string, onDone?: () => void): void {
  asked.value = { action, about, onDone }
}

export function Confirmation(): VNode | null {
  const { value } = asked
  if (value === undefined) return null
  return <Question {...value} key={`${value.action.id} ${value.about}`} />
}

function Question(props: {
  readonly action: Action
  readonly about: string
  readonly onDone: (() => void) | undefined
}): VNode {
  const { action, about, onDone } = props
  const busy = useSignal(false)
  const typed = useSignal('')
  const error = useSignal<ApiError | undefined>(undefined)
  const close = (): void => {
    asked.value = undefined
  }
  const perform = async (): Promise<void> => {
    busy.value = true
    error.value = undefined
    try {
      const [result] = await Promise.all([action.perform(), messagesReady()])
      tellResult(action.title, about, result)
      close()
      onDone?.()
    } catch (thrown) {
      error.value = toApiError(thrown)
    } finally {
      busy.value = false
    }
  }
  const isMissing = action.typed !== undefined && typed.value !== action.typed
  return (
    <Dialog
      title={`${action.title}: ${printable(about)}`}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{t('action.cancel')}</Button>
          <Button
            kind={action.danger === true ? 'danger' : 'main'}
            icon={action.icon}
            busy={busy.value}
            reason={isMissing ? t('confirm.typeFirst') : undefined}
            onClick={() => void perform()}
          >
            {action.title}
          </Button>
        </>
      }
    >
      <ul class="consequences">
        {action.consequences.map((message) => (
          <li>{message}</li>
        ))}
      </ul>
      {action.typed !== undefined && (
        <TextField
          label={t('confirm.type', { text: printable(action.typed) })}
          value={typed.value}
          mono
          onInput={(value) => (typed.value = value)}
        />
      )}
      {error.value !== undefined && (
        <p class="notice bad hostile" role="alert">
          {errorText(error.value)}
        </p>
      )}
    </Dialog>
  )
}

/** The maximum number of effects that are listed; a job can have thousands of shards. */
const mostLines = 5

export function tellResult(title: string, about: string, result: OperationResult): void {
  const { done, unchanged, skipped, failed } = result
  const lines = [
    ...failed.map(failureText),
    ...skipped.map(({ messageParts, reason }) => messageText(messageParts, reason)),
    ...[...done, ...unchanged].map(({ messageParts, text }) => messageText(messageParts, text)),
  ].map(printable)
  const shown = lines.slice(0, mostLines)
  if (lines.length > shown.length) shown.push(t('confirm.more', { n: lines.length - shown.length }))
  const isDone = done.length > 0
  const tone = failed.length > 0 ? 'bad' : skipped.length > 0 || !isDone ? 'warn' : 'good'
  const key = failed.length > 0 ? 'confirm.failed' : isDone ? 'confirm.done' : 'confirm.nothing'
  tell(tone, t(key, { action: title, about: printable(about) }), shown)
}

/** Names the jobs that failed: the request itself succeeds if only some of many jobs fail. */
function failureText({ jobName, reason, messageParts, code }: Omission): string {
  return `${jobName}: ${errorText({ code, message: reason, messageParts })}`
}
