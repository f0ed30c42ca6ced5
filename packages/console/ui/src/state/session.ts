/** The account of the user. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'

import type { Session } from '../../../src/contract/session.ts'
import { call } from '../api/call.ts'
import { type ApiError, toApiError } from '../api/api-error.ts'
import { setCsrfToken, whenUnknown } from '../api/request.ts'
import { close, whenLost } from '../live/live.ts'
import { setServerTime } from '../time/clock.ts'

export const session = signal<Session | undefined>(undefined)
/** Why the server did not answer the request for the session. */
export const sessionError = signal<ApiError | undefined>(undefined)

export const mayAct: ReadonlySignal<boolean> = computed(() => session.value?.role === 'root')

function know(known: Session): void {
  setCsrfToken(known.csrfToken)
  setServerTime(known.now)
  sessionError.value = undefined
  session.value = known
  if (known.role === 'nobody') close()
}

export async function loadSession(): Promise<void> {
  try {
    know(await call('showSession', {}))
  } catch (error) {
    sessionError.value = toApiError(error)
  }
}

export async function login(username: string, password: string): Promise<void> {
  know(await call('login', { body: { username, password } }))
}

export async function logout(): Promise<void> {
  await call('logout', {})
  await loadSession()
}

/** A broken stream and a 401 can both mean that the session has ended. */
export function watchSession(): void {
  whenUnknown(() => void loadSession())
  whenLost(() => {
    // While the server is unreachable the page stays, and says so.
    void call('showSession', {}).then(know, () => undefined)
  })
}
