import { goldenText } from '../support/golden.ts'

/** One question to Quartz and its answer; test/golden/quartz-cron.md tells of them. */
export interface QuartzAnswer {
  readonly cron: string
  readonly tz: string
  readonly after: number
  readonly fires?: readonly number[]
  readonly ends?: boolean
  /** Whether Quartz takes the expression, where that is all that was asked. */
  readonly valid?: boolean
}

export function quartzAnswers(name: string): QuartzAnswer[] {
  return goldenText(`${name}.jsonl`)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as QuartzAnswer)
}
