/** The registry and the history that this tab shows. Other tabs can show others. */
import { signal } from '@preact/signals'

import { remember, remembered, tabStorage } from './remember.ts'

/** Undefined: the default of the server. */
export const registryName = signal<string | undefined>(first('registry'))
export const dataSourceName = signal<string | undefined>(first('data-source'))

/** A registry in the URL wins: a shared link has to show the registry of its sender. */
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
