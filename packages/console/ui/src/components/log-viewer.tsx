/** The output of a run. The view follows the end of the log while the reader is there. */
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { t } from '../i18n/i18n.ts'
import { printableLines } from '../text/printable.ts'
import { clockTime } from '../time/moments.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'

export interface LogLine {
  readonly sequence: number
  readonly time: number
  readonly stream: string
  readonly text: string
}

/** The maximum number of lines that are shown, so that the page stays fast; the beginning of a longer log is omitted. */
const mostLines = 5000
const nearEnd = 24

export function LogViewer(props: {
  readonly lines: readonly LogLine[]
  /** Whether more output may follow. */
  readonly live: boolean
}): VNode {
  const { lines, live } = props
  const following = useSignal(true)
  const search = useSignal('')
  const box = useRef<HTMLDivElement>(null)
  const sought = search.value.toLowerCase()
  const matching =
    sought === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(sought))
  const shown = matching.slice(-mostLines)
  useLayoutEffect(() => {
    const element = box.current
    if (element !== null && following.value) element.scrollTop = element.scrollHeight
  }, [lines, following.value])
  return (
    <div class="log">
      <div class="log-bar">
        <TextField
          label={t('log.search')}
          hideLabel
          type="search"
          placeholder={t('log.search')}
          value={search.value}
          onInput={(value) => (search.value = value)}
        />
        <span class="soft small numbers">
          {t('log.lines', { n: matching.length })}
          {matching.length > shown.length && ` · ${t('log.cut', { n: mostLines })}`}
        </span>
        <Button
          icon="down"
          pressed={following.value}
          onClick={() => (following.value = !following.value)}
        >
          {t(live ? 'log.follow' : 'log.end')}
        </Button>
      </div>
      <div
        class="log-lines"
        ref={box}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t('log.title')}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          following.value = scrollHeight - scrollTop - clientHeight < nearEnd
        }}
      >
        {shown.length === 0 && <p class="faint">{t(live ? 'log.nothingYet' : 'log.nothing')}</p>}
        {shown.map(({ sequence, time, stream, text }) => (
          <div class={`log-line ${stream}`} key={sequence}>
            <span class="log-time">{clockTime(time)}</span>
            <span class="log-stream">{stream}</span>
            <span class="log-text">{printableLines(text.replace(/\n$/u, ''))}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
