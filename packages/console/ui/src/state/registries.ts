import { signal } from '@preact/signals'

/** Increases with every change of the lists, so that components that show them load them again. */
export const registriesChanged = signal(0)
export const dataSourcesChanged = signal(0)
