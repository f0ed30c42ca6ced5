/** The console as a request handler: it can be mounted in any server, and called without a port in tests. */
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'

import { ConsoleError } from '../errors.ts'
import { message } from '../message.ts'
import { handlers } from './handlers/handlers.ts'
import { requireAllowedHost } from './http/allowed-hosts.ts'
import { securityHeaders } from './http/headers.ts'
import { answerFailure, mount } from './http/mount.ts'
import { mountPage } from './http/page.ts'
import { plainPath } from './http/plain-path.ts'
import type { Services } from './services.ts'

/** The largest accepted body, in bytes: a ZooKeeper node holds at most a megabyte. */
const largestBody = 1_100_000

export function createApp(services: Services, pageDirectory: string | undefined): Hono {
  const whole = new Hono()
  whole.use(securityHeaders())
  whole.use(requireAllowedHost(services.hosts, services.trustProxy))
  whole.use(plainPath())
  whole.use(compress())
  const { basePath } = services
  const app = whole.basePath(basePath)
  app.use(
    '/api/*',
    bodyLimit({
      maxSize: largestBody,
      onError: (context) =>
        answerFailure(
          context,
          new ConsoleError(
            'CONSOLE_BODY_TOO_LARGE',
            message('body-too-large', { bytes: largestBody }),
          ),
        ),
    }),
  )
  whole.onError((error, context) => {
    services.failed(error)
    return answerFailure(context, error)
  })
  mount(app, handlers, services)
  app.all('/api/*', nothingThere)
  mountPage(app, pageDirectory, basePath)
  if (basePath !== '') {
    // A client that bypasses the proxy and knows only the port.
    whole.get('/', (context) => context.redirect(`${basePath}/`))
    whole.notFound(nothingThere)
  }
  return whole
}

function nothingThere(context: Context): Response {
  return answerFailure(
    context,
    new ConsoleError(
      'CONSOLE_NOT_FOUND',
      message('path-unknown', { path: context.req.path.slice(0, 500) }),
    ),
  )
}
