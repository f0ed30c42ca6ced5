/** Keyboard shortcuts; the help page lists them. */
import { useEffect } from 'preact/hooks'

import { route } from '../state/address.ts'
import { to } from '../state/links.ts'
import { openPalette } from './palette.tsx'

/** After `g`, the next letter selects the page. */
export const goTo: Readonly<Record<string, string>> = {
  j: '/jobs',
  s: '/servers',
  h: '/history',
  r: '/registries',
  d: '/data-sources',
  a: '/audit',
}

export function Shortcuts(): null {
  useEffect(() => {
    let isGoing = false
    const listen = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const target = isGoing ? goTo[event.key] : undefined
      isGoing = !isGoing && event.key === 'g'
      if (target !== undefined) route(to(target))
      else if (event.key === '?') route(to('/help'))
      else if (event.key === '/') {
        event.preventDefault()
        const field = document.querySelector<HTMLInputElement>('main input[type=search]')
        if (field === null) openPalette()
        else field.focus()
      }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return null
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.closest('input:not([type=checkbox]), select, textarea, dialog') !== null ||
      target.isContentEditable)
  )
}
