/** The URL of the page as signals, and links that change it without a reload. */
import { batch, signal } from '@preact/signals'

import { base } from '../tab/base.ts'

/** The variable segments of a path, by the names in its pattern. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>
}

/** The path below the base path of the console; at least `/`. */
export const path = signal(presentPath())
/** The filters of a page. */
export const query = signal<Readonly<Record<string, string>>>(presentQuery())

export function startRouting(): void {
  addEventListener('popstate', read)
  addEventListener('click', followLink)
}

/** `replace`: without a new entry in the browser's history. */
export function route(href: string, replace = false): void {
  const before = location.pathname
  history[replace ? 'replaceState' : 'pushState'](null, '', href)
  read()
  // A new page starts at its top; on a step back the browser restores the position.
  if (!replace && location.pathname !== before) scrollTo(0, 0)
}

/** The variable segments of a path that matches `/jobs/:name`; undefined if it does not match. */
export function matchPath(pattern: string, given: string): PageProps['params'] | undefined {
  const wanted = pattern.split('/')
  const parts = given.split('/')
  if (wanted.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, want] of wanted.entries()) {
    const part = decoded(parts[index] ?? '')
    if (part === undefined) return undefined
    if (want.startsWith(':')) params[want.slice(1)] = part
    else if (want !== part) return undefined
  }
  return params
}

/** A URL can be typed by hand and be invalid. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

function presentPath(): string {
  return location.pathname.slice(base.length).replace(/\/+$/u, '') || '/'
}

function presentQuery(): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(location.search))
}

function read(): void {
  batch(() => {
    path.value = presentPath()
    query.value = presentQuery()
  })
}

/** Only clicks that the browser would open in this tab. */
function followLink(event: MouseEvent): void {
  const { target, button, ctrlKey, metaKey, altKey, shiftKey } = event
  if (button !== 0 || ctrlKey || metaKey || altKey || shiftKey) return
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || link.target !== '' || link.hash !== '' || link.origin !== location.origin) {
    return
  }
  event.preventDefault()
  route(link.href)
}
