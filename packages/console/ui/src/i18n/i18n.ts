/** The texts of the page in the reader's language; components that read them are rendered again after a switch. */
import { batch, signal } from '@preact/signals'

import { remember, remembered } from '../tab/remember.ts'
import type { en } from './en.ts'
import type { help } from './en/help.ts'
import { fill, type Values } from './fill.ts'

export type Key = keyof typeof en
export type Language = 'en' | 'zh'
type Dictionary = Readonly<Record<Key, string>>

/** Loads only the selected language: otherwise half of the page would be texts that its reader does not need. */
const dictionaries: Readonly<Record<Language, () => Promise<Dictionary>>> = {
  en: () => import('./en.ts').then(({ en: words }) => words),
  zh: () => import('./zh.ts').then(({ zh: words }) => words),
}

export type HelpText = Readonly<Record<keyof typeof help, string>>

/** The texts of the help page, which is long and rarely opened. */
export const helpText: Readonly<Record<Language, () => Promise<HelpText>>> = {
  en: () => import('./en/help.ts').then(({ help: words }) => words),
  zh: () => import('./zh/help.ts').then(({ help: words }) => words),
}

export const language = signal<Language>('en')
const dictionary = signal<Partial<Dictionary>>({})

export async function setLanguage(chosen: Language): Promise<void> {
  const words = await dictionaries[chosen]()
  batch(() => {
    language.value = chosen
    dictionary.value = words
  })
  document.documentElement.lang = chosen === 'zh' ? 'zh-CN' : 'en'
  remember('language', chosen)
}

/** The stored choice; otherwise the language of the browser. */
export function firstLanguage(): Language {
  const stored = remembered('language')
  if (stored === 'en' || stored === 'zh') return stored
  return navigator.languages.some((each) => each.startsWith('zh')) ? 'zh' : 'en'
}

export function t(key: Key, values?: Values): string {
  return fill(dictionary.value[key] ?? key, values)
}

/** Whether the dictionary has a translation for a value of the server. */
export function isKey(key: string): key is Key {
  return Object.hasOwn(dictionary.value, key)
}
