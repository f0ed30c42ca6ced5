import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

import { t } from '../i18n/i18n.ts'
import { Button } from './button.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly wide?: boolean
  /** The buttons in its footer. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** The browser's own dialog element: it traps the focus, closes with Escape, and restores the focus. */
export function Dialog({ title, onClose, wide = false, actions, children }: DialogProps): VNode {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = ref.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose()
      }}
    >
      <div class="dialog-box">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" icon="close" label={t('action.close')} onClick={onClose} />
        </header>
        <div class="dialog-body">{children}</div>
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
    </dialog>
  )
}
