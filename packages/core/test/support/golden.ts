import { readFileSync } from 'node:fs'

/** A question that was put to Java, and its answer; `refused` names the exception. */
export interface Golden<Question, Answer> {
  readonly question: Question
  readonly answer: Answer & { readonly refused?: string }
}

export function goldenText(name: string): string {
  return readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8')
}

export function goldenLines<Question, Answer>(name: string): Golden<Question, Answer>[] {
  return goldenText(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Golden<Question, Answer>)
}
