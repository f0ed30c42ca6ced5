import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import { type ApiError, toApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { SelectField, TextField } from '../components/field.tsx'
import { tell } from '../components/toasts.tsx'
import { errorText } from '../i18n/error-text.ts'
import { t } from '../i18n/i18n.ts'
import { logout, mayAct, session } from '../state/session.ts'
import { printable } from '../text/printable.ts'

export function UserMenu(): VNode | null {
  const isOpen = useSignal(false)
  const known = session.value
  if (known?.username === undefined) return null
  return (
    <>
      <Button kind="quiet" icon="user" onClick={() => (isOpen.value = true)}>
        {printable(known.username)}
      </Button>
      {isOpen.value && <Account onClose={() => (isOpen.value = false)} />}
    </>
  )
}

function Account({ onClose }: { readonly onClose: () => void }): VNode {
  const known = session.value
  const username = useSignal(known?.username ?? '')
  const current = useSignal('')
  const password = useSignal('')
  const error = useSignal<ApiError | undefined>(undefined)
  const save = async (): Promise<void> => {
    error.value = undefined
    try {
      await call('changePassword', {
        body: { username: username.value, current: current.value, password: password.value },
      })
      tell('good', t('account.changed'))
      onClose()
    } catch (thrown) {
      error.value = toApiError(thrown)
    }
  }
  return (
    <Dialog
      title={t('account.title')}
      onClose={onClose}
      actions={
        <>
          <Button icon="out" onClick={() => void logout()}>
            {t('account.logout')}
          </Button>
          <Button
            kind="main"
            reason={password.value.length < 10 ? t('account.tooShort') : undefined}
            onClick={() => void save()}
          >
            {t('account.save')}
          </Button>
        </>
      }
    >
      <p class="soft">
        {t(known?.role === 'root' ? 'account.root' : 'account.guest', {
          name: printable(known?.username ?? ''),
        })}
      </p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {mayAct.value && (
          <SelectField
            label={t('account.whose')}
            value={username.value}
            options={[...new Set([known?.username ?? 'root', 'guest'])].map((each) => ({
              value: each,
              title: each,
            }))}
            onChange={(value) => (username.value = value)}
          />
        )}
        <TextField
          label={t('account.current')}
          type="password"
          autocomplete="current-password"
          value={current.value}
          onInput={(value) => (current.value = value)}
        />
        <TextField
          label={t('account.new')}
          type="password"
          autocomplete="new-password"
          hint={t('account.tooShort')}
          value={password.value}
          onInput={(value) => (password.value = value)}
        />
        {error.value !== undefined && (
          <p class="notice bad hostile" role="alert">
            {errorText(error.value)}
          </p>
        )}
      </form>
    </Dialog>
  )
}
