import type { ComponentChildren, VNode } from 'preact'

export function PageHead(props: {
  readonly title: ComponentChildren
  readonly above?: ComponentChildren
  readonly below?: ComponentChildren
  readonly children?: ComponentChildren
}): VNode {
  return (
    <header class="page-head">
      <div class="page-title">
        {props.above !== undefined && <div class="small soft">{props.above}</div>}
        <h1>{props.title}</h1>
        {props.below !== undefined && <div class="soft">{props.below}</div>}
      </div>
      {props.children !== undefined && <div class="page-actions">{props.children}</div>}
    </header>
  )
}
