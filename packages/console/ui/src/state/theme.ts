import { effect, signal } from '@preact/signals'

import { remember, remembered } from '../tab/remember.ts'

export type Theme = 'system' | 'light' | 'dark'

export const themes: readonly Theme[] = ['system', 'light', 'dark']

const stored = remembered('theme')

export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')

effect(() => {
  const { dataset } = document.documentElement
  if (theme.value === 'system') delete dataset['theme']
  else dataset['theme'] = theme.value
})

export function setTheme(chosen: Theme): void {
  theme.value = chosen
  remember('theme', chosen)
}
