/**
 * The list of jobs in its wire format: built from entries that are already JSON, and compressed at most once for all
 * identical requests. Thousands of jobs are megabytes: building them for each request would block other requests.
 */
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

import type { Context } from 'hono'

import type { JobListQuery } from '../../contract/jobs.ts'
import type { Answer } from '../live/answers.ts'
import type { NamespaceView } from '../live/namespace-view.ts'
import { selectJobs } from './job-list.ts'

/** Smaller answers are not compressed. */
const smallestPacked = 1024
/** The fastest level already reduces this repetitive text to a tenth. */
const level = constants.Z_BEST_SPEED
const pack = promisify(gzip)

export async function answerJobs(
  view: NamespaceView,
  query: JobListQuery,
  context: Context,
): Promise<Response> {
  const isPacked = /\bgzip\b/i.test(context.req.header('accept-encoding') ?? '')
  const question = JSON.stringify([isPacked, query])
  const { body, total, revision } = await view.answers.of(question, () =>
    answerOf(view, query, isPacked),
  )
  context.header('X-Total-Count', String(total))
  context.header('X-Revision', revision)
  context.header('Content-Type', 'application/json')
  context.header('Vary', 'Accept-Encoding')
  if (isGzip(body)) context.header('Content-Encoding', 'gzip')
  // Shared without a copy, which would be megabytes for each reader: no code writes to it.
  return context.body(body as Uint8Array<ArrayBuffer>)
}

async function answerOf(
  view: NamespaceView,
  query: JobListQuery,
  isPacked: boolean,
): Promise<Answer> {
  const { revision } = view
  const { rows, total } = selectJobs(view.jobs(), query)
  const bytes = Buffer.from(`[${rows.map((job) => view.jobText(job)).join(',')}]`)
  const isLarge = isPacked && bytes.length >= smallestPacked
  return { body: isLarge ? await pack(bytes, { level }) : bytes, total, revision }
}

/** JSON never begins with these bytes. */
function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b
}
