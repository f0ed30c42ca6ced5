import { signal } from '@preact/signals'

/** Counts up with every change of the lists, so that whoever shows them fetches them again. */
export const registriesChanged = signal(0)
export const dataSourcesChanged = signal(0)
