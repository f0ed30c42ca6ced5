/** Data that are loaded while a component is shown. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { type ApiError, toApiError } from '../api/api-error.ts'

export interface Resource<T> {
  readonly data: T | undefined
  readonly error: ApiError | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

/**
 * Loads again whenever the key changes; an undefined key loads nothing. While a request is in progress the previous
 * answer stays, unless it belongs to another key.
 */
export function useResource<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): Resource<T> {
  const state = useSignal<{ key: string | undefined; data?: T; error?: ApiError; busy: boolean }>({
    key,
    busy: key !== undefined,
  })
  const manualRun = useSignal(0)
  useEffect(() => {
    if (key === undefined) return
    const controller = new AbortController()
    const old = state.peek()
    state.value = { ...(old.key === key ? old : { key }), busy: true }
    load(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) state.value = { key, data, busy: false }
      },
      (error: unknown) => {
        if (!controller.signal.aborted) state.value = { key, error: toApiError(error), busy: false }
      },
    )
    return () => controller.abort()
  }, [key, manualRun.value])
  const { data, error, busy, key: known } = (state as ReadonlySignal<typeof state.value>).value
  const isOurs = known === key
  return {
    data: isOurs ? data : undefined,
    error: isOurs ? error : undefined,
    isLoading: busy || !isOurs,
    reload: () => (manualRun.value += 1),
  }
}
