/** Which registry and which history this tab looks at. Another tab may look at others. */
import { signal } from '@preact/signals'

import { remember, remembered, tabStorage } from './remember.ts'

/** Undefined: the one that the server means where none is named. */
export const registryName = signal<string | undefined>(first('registry'))
export const dataSourceName = signal<string | undefined>(first('data-source'))

/** An address that names a registry wins: it was sent by somebody who looked at that one. */
function first(name: 'registry' | 'data-source'): string | undefined {
  const named = new URLSearchParams(location.search).get(name)
  if (named !== null && named !== '') {
    remember(name, named, tabStorage())
    return named
  }
  return remembered(name, tabStorage()) ?? remembered(name)
}

export function chooseRegistry(name: string): void {
  registryName.value = name
  remember('registry', name, tabStorage())
  remember('registry', name)
}

export function chooseDataSource(name: string): void {
  dataSourceName.value = name
  remember('data-source', name, tabStorage())
  remember('data-source', name)
}
