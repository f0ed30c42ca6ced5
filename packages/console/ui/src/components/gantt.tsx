/** The runs of instances as a Gantt chart. The history shows the same data as a table. */
import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { RunOutcome } from '../../../src/contract/jobs.ts'
import { outcomeTone } from '../state/tones.ts'
import { instanceName } from '../text/printable.ts'
import { clockTime } from '../time/moments.ts'
import { inLanes, type Span, ticks } from './lanes.ts'

interface GanttRun extends Span {
  readonly outcome: RunOutcome
  /** The text of the tooltip. */
  readonly title: string
}

interface GanttProps {
  readonly label: string
  readonly runs: readonly GanttRun[]
  readonly from: number
  readonly to: number
  /** A line at the current time, if it is in the window. */
  readonly now: number
  readonly onChoose: (id: string) => void
}

const rowHeight = 16
const laneGap = 12
const axis = 22
const shortest = 3
const tickRoom = 86
/** The anchor of a time label: the last label stays within the chart. */
const halfTick = 23

export function Gantt({ label, runs, from, to, now, onChoose }: GanttProps): VNode {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(800)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const lanes = inLanes(runs)
  const names = width < 520 ? 92 : 168
  const x = (time: number): number => names + ((time - from) / (to - from)) * (width - names)
  let y = axis
  const placed = lanes.map((lane) => {
    const top = y
    y += lane.rows * rowHeight + laneGap
    return { lane, top }
  })
  return (
    <div class="gantt" ref={box}>
      <svg
        role="img"
        aria-label={label}
        width={width}
        height={y + 4}
        viewBox={`0 0 ${width} ${y + 4}`}
        onClick={(event) => {
          const id = (event.target as Element).getAttribute('data-run')
          if (id !== null) onChoose(id)
        }}
      >
        {ticks(from, to, Math.max(2, (width - names) / tickRoom)).map((time) => (
          <g key={time}>
            <line class="grid" x1={x(time)} x2={x(time)} y1={axis - 6} y2={y} />
            <text x={Math.min(x(time), width - halfTick)} y={12} text-anchor="middle">
              {clockTime(time)}
            </text>
          </g>
        ))}
        {placed.map(({ lane, top }) => (
          <g key={lane.name}>
            <line class="grid" x1={0} x2={width} y1={top - laneGap / 2} y2={top - laneGap / 2} />
            <text class="lane" x={0} y={top + rowHeight - 4}>
              {shorten(instanceName(lane.name), names)}
            </text>
            {lane.spans.map(({ span, row }) => {
              const left = Math.max(names, x(span.from))
              const right = Math.min(width, x(span.to))
              return (
                <rect
                  key={span.id}
                  data-run={span.id}
                  class={`run ${outcomeTone(span.outcome)}`}
                  x={Math.min(left, width - shortest)}
                  y={top + row * rowHeight}
                  width={Math.max(shortest, right - left)}
                  height={rowHeight - 3}
                  rx={2}
                >
                  <title>{span.title}</title>
                </rect>
              )
            })}
          </g>
        ))}
        {now >= from && now <= to && (
          <line class="present" x1={x(now)} x2={x(now)} y1={axis - 6} y2={y} />
        )}
      </svg>
    </div>
  )
}

/** Truncates a long name, so that it does not overlap the chart; a letter is about 7 wide. */
function shorten(name: string, room: number): string {
  const letters = Math.floor((room - 8) / 7)
  return name.length <= letters ? name : `${name.slice(0, letters - 1)}…`
}
