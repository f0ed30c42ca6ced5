import type { ComponentChildren, VNode } from 'preact'

/** The severity of a state. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'idle'

export function Badge(props: {
  readonly tone: Tone
  readonly title?: string | undefined
  readonly children: ComponentChildren
}): VNode {
  return (
    <span class={`badge ${props.tone}`} title={props.title}>
      <span class="dot" aria-hidden="true" />
      {props.children}
    </span>
  )
}
