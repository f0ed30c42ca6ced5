/** When a job fires, in words. The server has them in English; other languages are ours to find. */
import { chineseCron } from './chinese-cron.ts'

export function cronWords(
  expression: string,
  english: string | undefined,
  language: 'en' | 'zh',
): string {
  return (language === 'zh' ? chineseCron(expression) : english) ?? english ?? ''
}
