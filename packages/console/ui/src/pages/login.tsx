import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import { type ApiError, toApiError } from '../api/api-error.ts'
import { Button } from '../components/button.tsx'
import { TextField } from '../components/field.tsx'
import { errorText } from '../i18n/error-text.ts'
import { t } from '../i18n/i18n.ts'
import { base } from '../tab/base.ts'
import { useTitle } from '../state/page.ts'
import { login } from '../state/session.ts'
import { Looks } from './shell.tsx'

export function LoginPage(): VNode {
  useTitle(t('login.title'))
  const username = useSignal('')
  const password = useSignal('')
  const error = useSignal<ApiError | undefined>(undefined)
  const busy = useSignal(false)
  const submit = async (): Promise<void> => {
    busy.value = true
    error.value = undefined
    try {
      await login(username.value, password.value)
    } catch (thrown) {
      error.value = toApiError(thrown)
    } finally {
      busy.value = false
    }
  }
  return (
    <main class="login" id="content">
      <div class="login-looks">
        <Looks />
      </div>
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div class="login-head">
          <img src={`${base}/icon.svg`} alt="" width="40" height="40" />
          <h1>{t('login.title')}</h1>
        </div>
        <TextField
          label={t('login.username')}
          name="username"
          autocomplete="username"
          required
          focus
          value={username.value}
          onInput={(value) => (username.value = value)}
        />
        <TextField
          label={t('login.password')}
          name="password"
          type="password"
          autocomplete="current-password"
          required
          value={password.value}
          onInput={(value) => (password.value = value)}
        />
        {error.value !== undefined && (
          <p class="notice bad hostile" role="alert">
            {refusalText(error.value)}
          </p>
        )}
        <Button kind="main" submit busy={busy.value}>
          {t('login.submit')}
        </Button>
        <p class="faint small">{t('login.hint')}</p>
      </form>
    </main>
  )
}

function refusalText(error: ApiError): string {
  if (error.status === 429) return t('login.throttled', { n: error.retryAfter ?? 60 })
  return error.status === 401 ? t('login.wrong') : errorText(error)
}
