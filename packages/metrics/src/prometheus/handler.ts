/** Serves metrics over HTTP, for any server. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '@elasticjob/core/internal'

/** Answers a request with the metrics. */
export type MetricsHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The current metrics as a response. */
export interface Page {
  readonly contentType: string
  text(): Promise<string>
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

async function answerTo(method: string | undefined, page: Page): Promise<Answer> {
  const plain = { 'Content-Type': 'text/plain; charset=utf-8' }
  if (method !== 'GET' && method !== 'HEAD') {
    return {
      status: 405,
      headers: { ...plain, Allow: 'GET, HEAD' },
      body: 'Only GET and HEAD are supported.\n',
    }
  }
  try {
    const headers = { 'Content-Type': page.contentType, 'Cache-Control': 'no-store' }
    return { status: 200, headers, body: await page.text() }
  } catch (error) {
    return {
      status: 500,
      headers: plain,
      body: `Cannot read the metrics: ${messageOf(error)}\n`,
    }
  }
}

/** For `node:http`, Express, Fastify's raw server and any other server that accepts such a function. */
export function handlerOf(page: Page): MetricsHandler {
  return async ({ method }, response) => {
    const { status, headers, body } = await answerTo(method, page)
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
    response.end(method === 'HEAD' ? undefined : body)
  }
}

/** For servers with the Fetch API: Hono, Deno, Bun. */
export function fetchOf(page: Page): (request: Request) => Promise<Response> {
  return async ({ method }) => {
    const { status, headers, body } = await answerTo(method, page)
    return new Response(method === 'HEAD' ? null : body, { status, headers })
  }
}
