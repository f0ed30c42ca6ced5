/** The uPlot options of our charts, in the colors of the page. */
import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'

import type { Series } from './chart.tsx'

interface Drawing {
  readonly times: readonly number[]
  readonly from: number
  readonly to: number
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  readonly height: number
  /** The time formats. They are passed in, so that this chunk shares no code with the page. */
  readonly time: TimeTexts
}

export interface TimeTexts {
  readonly title: string
  readonly short: (time: number) => string
  readonly long: (time: number) => string
}

/** The steps of the axis: counts are integers, and milliseconds are the finest unit of durations. */
const wholeSteps = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat()

/** Draws the chart and follows the width of its element; the returned function removes it. */
export function drawChart(element: HTMLElement, drawing: Drawing): () => void {
  const { times, from, to, series, format, height, time } = drawing
  const colour = colours(element)
  const ink = colour('--ink-soft')
  const grid = { stroke: colour('--line'), width: 1 }
  const font = `11px ${getComputedStyle(element).fontFamily}`
  const plot = new UPlot(
    {
      width: element.clientWidth,
      height,
      cursor: { points: { size: 6 } },
      legend: { live: true },
      scales: {
        x: { range: [from / 1000, to / 1000] },
        // The axis starts at 0: a truncated axis would exaggerate differences.
        y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
      },
      axes: [
        {
          stroke: ink,
          grid,
          ticks: grid,
          font,
          values: (_plot, values) => values.map((seconds) => time.short(seconds * 1000)),
        },
        {
          stroke: ink,
          grid,
          ticks: grid,
          font,
          size: 64,
          incrs: wholeSteps,
          values: (_plot, values) => values.map(format),
        },
      ],
      series: [
        {
          label: time.title,
          value: (_plot, value: number | null) => (value === null ? '–' : time.long(value * 1000)),
        },
        ...series.map(({ title, colour: name, filled = false }) => ({
          label: title,
          stroke: colour(name),
          width: 1.5,
          ...(filled ? { fill: translucent(colour(name)) } : {}),
          points: { show: times.length < 40, fill: colour('--surface') },
          value: (_plot: UPlot, value: number | null) => (value === null ? '–' : format(value)),
        })),
      ],
    },
    [times.map((at) => at / 1000), ...series.map(({ values }) => [...values])],
    element,
  )
  const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
  observer.observe(element)
  return () => {
    observer.disconnect()
    plot.destroy()
  }
}

/** A canvas does not resolve custom properties: the computed value of a token is read from an element. */
function colours(element: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = document.createElement('i')
    probe.style.color = `var(${name})`
    element.append(probe)
    const value = getComputedStyle(probe).color
    probe.remove()
    return value
  }
}

function translucent(colour: string): string {
  return colour.replace(/^rgb\((.*)\)$/u, 'rgba($1, 0.16)')
}
