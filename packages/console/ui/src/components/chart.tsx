/** A line chart over time. The drawing library is loaded with the first chart. */
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import { language, t } from '../i18n/i18n.ts'
import { theme } from '../state/theme.ts'
import { dateTime, dayText, minuteText } from '../time/moments.ts'

export interface Series {
  readonly title: string
  /** The name of a CSS token, such as `--good-fill`. */
  readonly colour: string
  readonly values: readonly (number | null)[]
  readonly filled?: boolean
}

interface ChartProps {
  readonly label: string
  /** Milliseconds since 1970. */
  readonly times: readonly number[]
  /** The window that is shown, even if it is partly empty. */
  readonly from: number
  readonly to: number
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

const height = 190
/** From this span on, the axis shows days instead of minutes. */
const longWindow = 2 * 86_400_000

export function Chart({ label, times, from, to, series, format }: ChartProps): VNode {
  const box = useRef<HTMLDivElement>(null)
  const look = theme.value
  const words = language.value
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let undraw: (() => void) | undefined
    let isGone = false
    void import('./draw-chart.ts').then(({ drawChart }) => {
      const time = {
        title: t('status.time'),
        short: to - from > longWindow ? dayText : minuteText,
        long: (at: number) => dateTime(at),
      }
      if (!isGone) undraw = drawChart(element, { times, from, to, series, format, height, time })
    })
    return () => {
      isGone = true
      undraw?.()
    }
  }, [times, series, look, words])
  return <div class="chart" ref={box} role="img" aria-label={label} />
}
