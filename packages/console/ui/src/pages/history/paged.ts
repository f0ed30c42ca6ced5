/** A list that is loaded page by page, on demand. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { type ApiError, toApiError } from '../../api/api-error.ts'

export interface Paged<Row> {
  readonly rows: readonly Row[]
  readonly error: ApiError | undefined
  readonly isLoading: boolean
  /** Undefined after the last page. */
  readonly more: (() => void) | undefined
  readonly reload: () => void
}

interface Page<Row, Next> {
  readonly rows: readonly Row[]
  readonly next?: Next | undefined
}

export function usePaged<Row, Next>(
  key: string,
  load: (next: Next | undefined) => Promise<Page<Row, Next>>,
): Paged<Row> {
  const state = useSignal<{
    rows: readonly Row[]
    next?: Next | undefined
    error?: ApiError
    busy: boolean
  }>({ rows: [], busy: true })
  const manualRun = useSignal(0)
  const fetchPage = async (known: readonly Row[], next?: Next): Promise<void> => {
    const mine = ++manualRun.value
    state.value = { rows: known, busy: true }
    try {
      const page = await load(next)
      // The filters have changed since this page was requested: drop it.
      if (mine !== manualRun.peek()) return
      state.value = { rows: [...known, ...page.rows], next: page.next, busy: false }
    } catch (error) {
      if (mine === manualRun.peek())
        state.value = { rows: known, error: toApiError(error), busy: false }
    }
  }
  useEffect(() => void fetchPage([]), [key])
  const { rows, next, error, busy } = state.value
  return {
    rows,
    error,
    isLoading: busy,
    more: next === undefined ? undefined : () => void fetchPage(rows, next),
    reload: () => void fetchPage([]),
  }
}
