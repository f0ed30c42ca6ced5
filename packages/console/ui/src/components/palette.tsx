/** The command palette: finds pages, jobs, servers, and actions of the page. */
import { signal, useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

import { call } from '../api/call.ts'
import { t } from '../i18n/i18n.ts'
import { route } from '../state/address.ts'
import { to, toJob, toServer } from '../state/links.ts'
import { places } from '../state/nav.ts'
import { mayAct } from '../state/session.ts'
import { useResource } from '../state/resource.ts'
import { closeness } from '../text/matches.ts'
import { printable } from '../text/printable.ts'
import { Icon, type IconName } from './icon.tsx'

const isOpen = signal(false)
const mostShown = 12

export function openPalette(): void {
  isOpen.value = true
}

export function Palette(): VNode | null {
  return isOpen.value ? <OpenPalette /> : null
}

interface Entry {
  readonly title: string
  readonly kind: string
  readonly icon: IconName
  readonly href: string
}

function OpenPalette(): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const search = useSignal('')
  const at = useSignal(0)
  const id = useId()
  const jobs = useResource('palette jobs', (signal_) => call('listJobs', { signal: signal_ }))
  const servers = useResource('palette servers', (signal_) =>
    call('listServers', { signal: signal_ }),
  )
  useEffect(() => dialog.current?.showModal(), [])
  const entries: Entry[] = [
    ...places
      .filter(({ root = false }) => !root || mayAct.value)
      .map(({ path, title, icon }) => ({
        title: t(title),
        kind: t('palette.page'),
        icon,
        href: to(path),
      })),
    ...(jobs.data ?? []).map(({ jobName }) => ({
      title: printable(jobName),
      kind: t('palette.job'),
      icon: 'jobs' as const,
      href: toJob(jobName),
    })),
    ...(servers.data ?? []).map(({ serverIp }) => ({
      title: printable(serverIp),
      kind: t('palette.server'),
      icon: 'servers' as const,
      href: toServer(serverIp),
    })),
  ]
  const found = entries
    .map((entry) => ({ entry, rank: closeness(entry.title, search.value) }))
    .filter((each): each is { entry: Entry; rank: number } => each.rank !== undefined)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, mostShown)
    .map(({ entry }) => entry)
  const chosen = Math.min(at.value, found.length - 1)
  const close = (): void => {
    dialog.current?.close()
    isOpen.value = false
  }
  const go = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    close()
    route(entry.href)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      at.value = (chosen + step + found.length) % Math.max(1, found.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(found[chosen])
    }
  }
  return (
    <dialog
      class="palette"
      ref={dialog}
      aria-label={t('palette.open')}
      onCancel={close}
      onClick={(event) => {
        if (event.target === dialog.current) close()
      }}
    >
      <div class="palette-box">
        <input
          class="palette-input"
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
          aria-label={t('palette.open')}
          placeholder={t('palette.placeholder')}
          autofocus
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value
            at.value = 0
          }}
          onKeyDown={onKeyDown}
        />
        <ul role="listbox" id={`${id}-list`} aria-label={t('palette.found')}>
          {found.map((entry, index) => (
            <li
              role="option"
              key={entry.href}
              id={`${id}-${index}`}
              aria-selected={index === chosen}
              onClick={() => go(entry)}
            >
              <Icon name={entry.icon} />
              <span class="cut">{entry.title}</span>
              <span class="faint small">{entry.kind}</span>
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="palette-none soft">{t('palette.none')}</p>}
      </div>
    </dialog>
  )
}
