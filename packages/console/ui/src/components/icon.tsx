/** The icons of the page: lines on a grid of 16 by 16. */
import type { VNode } from 'preact'

const paths = {
  jobs: 'M3 4h10M3 8h10M3 12h6',
  servers: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  history: 'M8 4.5V8l2.2 1.6M2.5 8a5.5 5.5 0 1 0 1.7-4M2.5 2.5V5H5',
  statistics: 'M2.5 13.5h11M4.5 11V8M8 11V4M11.5 11V6.5',
  registry: 'M8 2.5 13 5v6l-5 2.5L3 11V5zM3 5l5 2.5L13 5M8 7.5v6',
  database: 'M3 4c0-2 10-2 10 0v8c0 2-10 2-10 0zM3 4c0 2 10 2 10 0M3 8c0 2 10 2 10 0',
  audit: 'M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2',
  help: 'M6.2 6.1A1.9 1.9 0 1 1 8.6 8c-.4.2-.6.5-.6 1M8 11.2h.01M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.1 3.1',
  play: 'M5 3.2v9.6l7.6-4.8z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  resume: 'M3.5 3.5v9M6.5 3.5v9l6.5-4.5z',
  stop: 'M4.5 4.5h7v7h-7z',
  disable: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM4.2 4.2l7.6 7.6',
  enable: 'M3.5 8.5l3 3 6-7',
  shutdown: 'M8 2.5v5M4.6 4.6a4.8 4.8 0 1 0 6.8 0',
  remove: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  reshard: 'M3 6a5 5 0 0 1 8.8-2M13 2.5V5h-2.5M13 10a5 5 0 0 1-8.8 2M3 13.5V11h2.5',
  repair:
    'M13 4.5 10.8 6.7 9.3 5.2 11.5 3A3.5 3.5 0 0 0 7 7.4L2.8 11.6l1.6 1.6L8.6 9A3.5 3.5 0 0 0 13 4.5z',
  edit: 'M3 13l.7-3L11 2.7l2.3 2.3L6 12.3z',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  screen: 'M2.5 3h11v8h-11zM6 13.5h4',
  user: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.5-3 9.5-3 10 0',
  out: 'M6.5 2.5h-3v11h3M10 5l3 3-3 3M13 8H6',
  link: 'M6.5 9.5l3-3M5 7.5 3.6 9a2.4 2.4 0 0 0 3.4 3.4L8.5 11M11 8.5 12.4 7A2.4 2.4 0 0 0 9 3.6L7.5 5',
  warn: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2h.01',
  leader: 'M2.5 5l2.5 2.5L8 3l3 4.5L13.5 5v7h-11z',
  plus: 'M8 3.5v9M3.5 8h9',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
