/** Notices: a success disappears after a moment, a failure stays until it is dismissed. */
import { signal } from '@preact/signals'
import type { VNode } from 'preact'

import { t } from '../i18n/i18n.ts'
import { after } from '../time/clock.ts'
import type { Tone } from './badge.tsx'
import { Button } from './button.tsx'

export interface Toast {
  readonly id: number
  readonly tone: Tone
  readonly title: string
  readonly lines: readonly string[]
}

const shownFor = 6000
const atMost = 4
let count = 0

export const toasts = signal<readonly Toast[]>([])

export function tell(tone: Tone, title: string, lines: readonly string[] = []): void {
  const toast = { id: ++count, tone, title, lines }
  toasts.value = [...toasts.value, toast].slice(-atMost)
  if (tone !== 'bad') after(shownFor, () => dismiss(toast.id))
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

export function Toasts(): VNode {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, title, lines }) => (
        <div class={`toast ${tone}`} key={id}>
          <div>
            <strong>{title}</strong>
            {lines.length > 0 && (
              <ul>
                {lines.map((line) => (
                  <li>{line}</li>
                ))}
              </ul>
            )}
          </div>
          <Button kind="quiet" icon="close" label={t('action.close')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
