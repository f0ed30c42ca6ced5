import type { VNode } from 'preact'

/** Views of one object. Each view has its own URL, which can be shared. */
export function Tabs(props: {
  readonly label: string
  readonly tabs: readonly {
    readonly href: string
    readonly title: string
    readonly mark?: string
  }[]
  readonly current: string
}): VNode {
  return (
    <nav class="tabs" aria-label={props.label}>
      {props.tabs.map(({ href, title, mark }) => (
        <a href={href} key={href} aria-current={href === props.current ? 'page' : undefined}>
          {title}
          {mark !== undefined && <span class="tab-mark">{mark}</span>}
        </a>
      ))}
    </nav>
  )
}
