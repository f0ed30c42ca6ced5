/** A table of any length: only the visible rows of thousands are in the document. */
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import { t } from '../i18n/i18n.ts'
import { Icon } from './icon.tsx'
import { drawnWhole, visibleRows } from './visible-rows.ts'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  readonly sortable?: boolean
  /** `wide`: hidden in narrow windows; `number`: right-aligned; `main`: takes the remaining width. */
  readonly class?: string
}

export interface Sorting {
  readonly key: string
  readonly order: 'asc' | 'desc'
}

export interface Selection {
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (key: string) => void
  readonly onToggleAll: () => void
  readonly nameOf: (key: string) => string
}

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly sorting?: Sorting
  readonly onSort?: (sorting: Sorting) => void
  readonly selection?: Selection | undefined
  /** Rows of several lines have no fixed height: all of them are drawn. */
  readonly tall?: boolean
}

const rowHeight = 44

export function DataTable<Row>(props: TableProps<Row>): VNode {
  const { label, columns, rows, keyOf, selection, tall = false } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const { first, last } = useVisible(body, rows.length, tall)
  const span = columns.length + (selection === undefined ? 0 : 1)
  return (
    <div class="table-box">
      <table
        class={tall ? 'table tall' : 'table'}
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <thead>
          <tr>
            {selection !== undefined && (
              <th class="choice" scope="col">
                <input
                  type="checkbox"
                  aria-label={t('table.all')}
                  checked={rows.length > 0 && selection.chosen.size === rows.length}
                  onChange={selection.onToggleAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <Heading
                key={column.key}
                column={column}
                sorting={props.sorting}
                onSort={props.onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap rows={first} span={span} />
          {rows.slice(first, last).map((row, index) => {
            const key = keyOf(row)
            const isChosen = selection?.chosen.has(key) === true
            return (
              <tr
                key={key}
                aria-rowindex={first + index + 2}
                class={isChosen ? 'chosen' : undefined}
              >
                {selection !== undefined && (
                  <td class="choice">
                    <input
                      type="checkbox"
                      aria-label={t('table.choose', { name: selection.nameOf(key) })}
                      checked={isChosen}
                      onChange={() => selection.onToggle(key)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td class={column.class} key={column.key}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
          <Gap rows={rows.length - last} span={span} />
        </tbody>
      </table>
    </div>
  )
}

function Heading<Row>(props: {
  readonly column: Column<Row>
  readonly sorting: Sorting | undefined
  readonly onSort: ((sorting: Sorting) => void) | undefined
}): VNode {
  const { column, sorting, onSort } = props
  if (column.sortable !== true || onSort === undefined) {
    return (
      <th class={column.class} scope="col">
        {column.title}
      </th>
    )
  }
  const order = sorting?.key === column.key ? sorting.order : undefined
  const next = order === 'asc' ? 'desc' : 'asc'
  return (
    <th
      class={column.class}
      scope="col"
      aria-sort={order === undefined ? undefined : order === 'asc' ? 'ascending' : 'descending'}
    >
      <button
        type="button"
        class={`sort ${order ?? ''}`}
        onClick={() => onSort({ key: column.key, order: next })}
      >
        {column.title}
        <Icon name="down" />
      </button>
    </th>
  )
}

/** Takes the space of the rows that are not drawn. */
function Gap({ rows, span }: { readonly rows: number; readonly span: number }): VNode | null {
  if (rows <= 0) return null
  return (
    <tr class="gap" aria-hidden="true">
      <td colSpan={span} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  )
}

function useVisible(
  body: { readonly current: HTMLElement | null },
  count: number,
  tall: boolean,
): { readonly first: number; readonly last: number } {
  const [view, setView] = useState({ top: 0, height: 1000 })
  const isVirtual = !tall && count > drawnWhole
  useEffect(() => {
    if (!isVirtual) return
    const look = (): void => {
      const top = body.current?.getBoundingClientRect().top ?? 0
      const height = window.innerHeight
      setView((old) => {
        const isNear = Math.abs(old.top - top) < rowHeight * 4 && old.height === height
        return isNear ? old : { top, height }
      })
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [isVirtual])
  return isVirtual ? visibleRows(count, rowHeight, view) : { first: 0, last: count }
}
