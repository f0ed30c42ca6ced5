import { t } from '../i18n/i18n.ts'
import { freshness } from '../live/live.ts'

/** A large registry takes a while when it is read for the first time: how far that has come. */
export function readingText(): string | undefined {
  const { value } = freshness
  const progress = value.state === 'connecting' ? value.progress : undefined
  return progress && t('jobs.reading', progress)
}
