import type { VNode } from 'preact'

import { now } from '../time/clock.ts'
import { dateTime, distance, localZone, nearTime, sameClock } from '../time/moments.ts'

/** A time in the reader's zone and, if the zone of the job differs, in that zone. */
export function Moment(props: {
  readonly at: number
  readonly zone?: string | undefined
  readonly away?: boolean
}): VNode {
  const { at, zone, away = false } = props
  const other = zone !== undefined && !sameClock(at, zone) ? zone : undefined
  return (
    <time
      class="moment numbers nowrap"
      dateTime={new Date(at).toISOString()}
      title={`${dateTime(at)} ${localZone}${other === undefined ? '' : ` · ${dateTime(at, other)} ${other}`}`}
    >
      {nearTime(at, now.value)}
      {away && <span class="moment-away"> {distance(at, now.value)}</span>}
      {other !== undefined && (
        <>
          {' '}
          <span class="moment-zone">
            {nearTime(at, now.value, other)} {other}
          </span>
        </>
      )}
    </time>
  )
}
