import { systemClock } from '@elasticjob/core/internal'
import { describe, expect, test } from 'vitest'

import { emailChannel } from '../../src/email/email.ts'
import type { NotificationError } from '../../src/errors.ts'
import type { Props } from '../../src/props.ts'
import { makeCertificate } from '../support/certificate.ts'
import { failureOf, notificationOf } from '../support/failures.ts'
import { MailServer, type ReceivedMail } from '../support/mail-server.ts'
import { startRawServer } from '../support/raw-server.ts'

const notification = notificationOf(failureOf(new Error('no luck <today> in Zürich')))

async function send(props: Props, signal?: AbortSignal): Promise<readonly string[]> {
  const lines: string[] = []
  await emailChannel.send(notification, props, {
    clock: systemClock,
    signal: signal ?? new AbortController().signal,
    log: (line) => void lines.push(line),
  })
  return lines
}

/** The only received mail. */
function only({ received }: MailServer): ReceivedMail {
  expect(received).toHaveLength(1)
  return received[0] as ReceivedMail
}

const decoded = (quotedPrintable: string): string => {
  const bytes = quotedPrintable
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

test('EMAIL sends the mail with the configured login', async () => {
  await using server = await MailServer.start()
  await send(server.props())
  const { from, to, user, isEncrypted, content } = only(server)
  expect({ from, to, user, isEncrypted }).toEqual({
    from: 'jobs@example.com',
    to: ['ops@example.com'],
    user: 'jobs',
    isEncrypted: false,
  })
  expect(content).toMatch(/^From: Jobs <jobs@example\.com>\r$/m)
  expect(content).toMatch(/^To: ops@example\.com\r$/m)
  expect(content).toMatch(/^Subject: ElasticJob error message\r$/m)
  expect(content).toMatch(/^Auto-Submitted: auto-generated\r$/m)
})

test('EMAIL sends the text as plain text and as escaped HTML', async () => {
  await using server = await MailServer.start()
  await send(server.props())
  const content = decoded(only(server).content)
  expect(content).toContain("Job 'sync-orders' failed at")
  expect(content).toContain('no luck <today> in Zürich')
  expect(content).toContain('no luck &lt;today&gt; in Zürich')
  expect(content).toContain('email.test.ts')
})

test('EMAIL sends to every recipient and hides the bcc addresses', async () => {
  await using server = await MailServer.start()
  await send(
    server.props({
      'email.to': 'a@example.com,B <b@example.com>',
      'email.cc': 'c@example.com,d@example.com',
      'email.bcc': 'quietly@example.com',
      'email.subject': 'Störung',
    }),
  )
  const { to, content } = only(server)
  expect(to.toSorted()).toEqual(
    ['a', 'b', 'c', 'd', 'quietly'].map((name) => `${name}@example.com`),
  )
  expect(content).toMatch(/^Cc: c@example\.com, d@example\.com\r$/m)
  expect(content).not.toContain('quietly@example.com')
  expect(content).toMatch(/^Subject: =\?UTF-8\?/m)
})

test('EMAIL: a subject cannot add a header', async () => {
  await using server = await MailServer.start()
  await send(server.props({ 'email.subject': 'no\r\nBcc: thief@example.com' }))
  const { to, content } = only(server)
  expect(to).toEqual(['ops@example.com'])
  expect(content).not.toMatch(/^Bcc:/m)
})

test('EMAIL sends without a login to a server without authentication', async () => {
  await using server = await MailServer.start({ authOptional: true })
  await send(server.props({ 'email.username': '', 'email.password': '' }))
  expect(only(server).user).toBeUndefined()
})

describe('EMAIL with TLS', () => {
  const certificate = makeCertificate()

  test.for(['*', '127.0.0.1'])(
    'from the first byte, by a server that is trusted: %s',
    async (trust) => {
      await using server = await MailServer.start({ secure: true, ...certificate })
      await send(server.props({ 'email.useSsl': 'true', 'email.ssl.trust': trust }))
      expect(only(server)).toMatchObject({ isEncrypted: true, user: 'jobs' })
    },
  )

  test('upgrades the connection when the server offers STARTTLS', async () => {
    await using server = await MailServer.start({ disabledCommands: [], ...certificate })
    await send(server.props({ 'email.ssl.trust': '*', 'email.requireTls': 'true' }))
    expect(only(server)).toMatchObject({ isEncrypted: true, user: 'jobs' })
  })

  test('sends nothing to a server with an untrusted certificate', async () => {
    await using server = await MailServer.start({ secure: true, ...certificate })
    await expect(send(server.props({ 'email.useSsl': 'true' }))).rejects.toMatchObject({
      code: 'NOTIFICATION_UNREACHABLE',
      message: expect.stringContaining('self-signed certificate') as string,
    })
    await using upgrading = await MailServer.start({ disabledCommands: [], ...certificate })
    await expect(send(upgrading.props())).rejects.toMatchObject({
      code: 'NOTIFICATION_UNREACHABLE',
    })
    expect([...server.received, ...upgrading.received]).toEqual([])
  })

  test('sends nothing over a plain connection when TLS is required', async () => {
    await using server = await MailServer.start()
    await expect(send(server.props({ 'email.requireTls': 'true' }))).rejects.toThrow('STARTTLS')
    expect(server.received).toEqual([])
  })

  test('reports a server without TLS', async () => {
    await using server = await MailServer.start()
    const props = server.props({ 'email.useSsl': 'true' })
    await expect(send(props)).rejects.toMatchObject({ code: 'NOTIFICATION_UNREACHABLE' })
  })
})

describe('EMAIL reports NOTIFICATION_REFUSED', () => {
  test('for a wrong password', async () => {
    await using server = await MailServer.start()
    await expect(send(server.props({ 'email.password': 'tr0ub4dor' }))).rejects.toMatchObject({
      code: 'NOTIFICATION_REFUSED',
      message: expect.stringMatching(/^127\.0\.0\.1: .*Invalid username or password/) as string,
    })
    expect(server.received).toEqual([])
  })

  test('for a sender that the server rejects', async () => {
    await using server = await MailServer.start({
      onMailFrom: (_address, _session, done) => done(new Error('not from here')),
    })
    await expect(send(server.props())).rejects.toMatchObject({
      code: 'NOTIFICATION_REFUSED',
      message: expect.stringMatching(/^127\.0\.0\.1: .*not from here/) as string,
    })
  })

  test('for an unknown recipient, and the others receive the mail', async () => {
    await using server = await MailServer.start({
      onRcptTo: ({ address }, _, done) =>
        done(address.startsWith('ghost') ? new Error('unknown') : null),
    })
    await expect(
      send(server.props({ 'email.to': 'ops@example.com,ghost@example.com' })),
    ).rejects.toMatchObject({
      code: 'NOTIFICATION_REFUSED',
      message: '127.0.0.1 accepted the mail, but not for ghost@example.com',
    })
    expect(only(server).to).toEqual(['ops@example.com'])
  })

  test('for a message that is too large', async () => {
    await using server = await MailServer.start({ size: 100 })
    await expect(send(server.props())).rejects.toMatchObject({ code: 'NOTIFICATION_REFUSED' })
    expect(server.received).toEqual([])
  })
})

describe('EMAIL reports NOTIFICATION_UNREACHABLE', () => {
  test('for a server that does not run', async () => {
    const server = await MailServer.start()
    const props = server.props()
    await server[Symbol.asyncDispose]()
    await expect(send(props)).rejects.toMatchObject({
      code: 'NOTIFICATION_UNREACHABLE',
      message: expect.stringContaining('ECONNREFUSED') as string,
    })
  })

  test.for<[what: string, greeting: string]>([
    ['says nothing', ''],
    ['speaks once, and never again', '220 mail.example.com ESMTP\r\n'],
  ])('is a server that %s', async ([, greeting]) => {
    await using server = await startRawServer((socket) => void socket.write(greeting))
    const props = {
      'email.host': '127.0.0.1',
      'email.port': String(server.port),
      'email.useSsl': 'false',
      'email.from': 'jobs@example.com',
      'email.to': 'ops@example.com',
      'email.readTimeoutMilliseconds': '30',
    }
    await expect(send(props)).rejects.toMatchObject({ code: 'NOTIFICATION_UNREACHABLE' })
    await server.idle()
  })

  test('for a server that closes the connection', async () => {
    await using server = await startRawServer((socket) => void socket.end())
    await expect(
      send({
        'email.host': '127.0.0.1',
        'email.port': String(server.port),
        'email.useSsl': 'false',
      }),
    ).rejects.toMatchObject({ code: 'NOTIFICATION_UNREACHABLE' })
  })
})

describe('EMAIL: an abort', () => {
  test('ends the sending, and leaves no socket open', async () => {
    const giveUp = new AbortController()
    await using server = await startRawServer((socket) => {
      socket.write('220 mail.example.com ESMTP\r\n')
      socket.once('data', () => giveUp.abort())
    })
    const sending = send(
      { 'email.host': '127.0.0.1', 'email.port': String(server.port), 'email.useSsl': 'false' },
      giveUp.signal,
    )
    await expect(sending).rejects.toThrow('the sending was aborted')
    await server.idle()
  })

  test('before the start prevents the sending', async () => {
    await using server = await MailServer.start()
    await expect(send(server.props(), AbortSignal.abort())).rejects.toThrow(
      'the sending was aborted',
    )
    expect(server.received).toEqual([])
  })
})

test('EMAIL with email.debug logs the protocol without the password', async () => {
  await using server = await MailServer.start()
  const props = server.props({ 'email.debug': 'true' })
  const lines = await send(props)
  expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/^MAIL FROM:/)]))
  const all = lines.join('\n')
  for (const secret of emailChannel.secretsOf(props)) {
    expect(all).not.toContain(secret)
    expect(all).not.toContain(Buffer.from(secret).toString('base64'))
  }
  expect(await send(server.props())).toEqual([])
})

test('EMAIL: a refusal is a NotificationError without a cause', async () => {
  await using server = await MailServer.start()
  const error = await send(server.props({ 'email.password': 'wrong' })).catch((e: unknown) => e)
  expect(Object.keys(error as NotificationError).toSorted()).toEqual(['code', 'name'])
  expect((error as NotificationError).cause).toBeUndefined()
})
