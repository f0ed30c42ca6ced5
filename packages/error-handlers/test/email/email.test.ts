import { systemClock } from '@elasticjob/zookeeper'
import { describe, expect, test } from 'vitest'

import { emailChannel } from '../../src/email/email.ts'
import type { NoticeError } from '../../src/errors.ts'
import type { Props } from '../../src/props.ts'
import { makeCertificate } from '../support/certificate.ts'
import { failureOf, noticeOf } from '../support/failures.ts'
import { MailServer, type ReceivedMail } from '../support/mail-server.ts'
import { startRawServer } from '../support/raw-server.ts'

const notice = noticeOf(failureOf(new Error('no luck <today> in Zürich')))

async function send(props: Props, signal?: AbortSignal): Promise<readonly string[]> {
  const lines: string[] = []
  await emailChannel.send(notice, props, {
    clock: systemClock,
    signal: signal ?? new AbortController().signal,
    log: (line) => void lines.push(line),
  })
  return lines
}

/** The one mail that the server has got. */
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

test('the server gets the mail, from whom it knows', async () => {
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

test('the text is there for people and, escaped, for browsers', async () => {
  await using server = await MailServer.start()
  await send(server.props())
  const content = decoded(only(server).content)
  expect(content).toContain("Job 'sync-orders' failed at")
  expect(content).toContain('no luck <today> in Zürich')
  expect(content).toContain('no luck &lt;today&gt; in Zürich')
  expect(content).toContain('email.test.ts')
})

test('everybody gets it, and nobody sees who gets it blindly', async () => {
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

test('a subject can add no header', async () => {
  await using server = await MailServer.start()
  await send(server.props({ 'email.subject': 'no\r\nBcc: thief@example.com' }))
  const { to, content } = only(server)
  expect(to).toEqual(['ops@example.com'])
  expect(content).not.toMatch(/^Bcc:/m)
})

test('without a login, where the server asks for none', async () => {
  await using server = await MailServer.start({ authOptional: true })
  await send(server.props({ 'email.username': '', 'email.password': '' }))
  expect(only(server).user).toBeUndefined()
})

describe('encrypted', () => {
  const certificate = makeCertificate()

  test.for(['*', '127.0.0.1'])(
    'from the first byte, by a server that is trusted: %s',
    async (trust) => {
      await using server = await MailServer.start({ secure: true, ...certificate })
      await send(server.props({ 'email.useSsl': 'true', 'email.ssl.trust': trust }))
      expect(only(server)).toMatchObject({ isEncrypted: true, user: 'jobs' })
    },
  )

  test('as soon as the server offers it', async () => {
    await using server = await MailServer.start({ disabledCommands: [], ...certificate })
    await send(server.props({ 'email.ssl.trust': '*', 'email.requireTls': 'true' }))
    expect(only(server)).toMatchObject({ isEncrypted: true, user: 'jobs' })
  })

  test('nothing is sent to a server that nobody vouches for', async () => {
    await using server = await MailServer.start({ secure: true, ...certificate })
    await expect(send(server.props({ 'email.useSsl': 'true' }))).rejects.toMatchObject({
      code: 'NOTICE_UNREACHABLE',
      message: expect.stringContaining('self-signed certificate') as string,
    })
    await using upgrading = await MailServer.start({ disabledCommands: [], ...certificate })
    await expect(send(upgrading.props())).rejects.toMatchObject({ code: 'NOTICE_UNREACHABLE' })
    expect([...server.received, ...upgrading.received]).toEqual([])
  })

  test('nothing is sent in the clear where that is asked for', async () => {
    await using server = await MailServer.start()
    await expect(send(server.props({ 'email.requireTls': 'true' }))).rejects.toThrow('STARTTLS')
    expect(server.received).toEqual([])
  })

  test('a server that does not speak it is found out', async () => {
    await using server = await MailServer.start()
    const props = server.props({ 'email.useSsl': 'true' })
    await expect(send(props)).rejects.toMatchObject({ code: 'NOTICE_UNREACHABLE' })
  })
})

describe('refused', () => {
  test('is a wrong password', async () => {
    await using server = await MailServer.start()
    await expect(send(server.props({ 'email.password': 'tr0ub4dor' }))).rejects.toMatchObject({
      code: 'NOTICE_REFUSED',
      message: expect.stringMatching(/^127\.0\.0\.1: .*Invalid username or password/) as string,
    })
    expect(server.received).toEqual([])
  })

  test('is a sender that the server does not want', async () => {
    await using server = await MailServer.start({
      onMailFrom: (_address, _session, done) => done(new Error('not from here')),
    })
    await expect(send(server.props())).rejects.toMatchObject({
      code: 'NOTICE_REFUSED',
      message: expect.stringMatching(/^127\.0\.0\.1: .*not from here/) as string,
    })
  })

  test('is somebody whom the server does not know; the others get it', async () => {
    await using server = await MailServer.start({
      onRcptTo: ({ address }, _, done) =>
        done(address.startsWith('ghost') ? new Error('unknown') : null),
    })
    await expect(
      send(server.props({ 'email.to': 'ops@example.com,ghost@example.com' })),
    ).rejects.toMatchObject({
      code: 'NOTICE_REFUSED',
      message: '127.0.0.1 took it, but not for ghost@example.com',
    })
    expect(only(server).to).toEqual(['ops@example.com'])
  })

  test('is a message that is too large', async () => {
    await using server = await MailServer.start({ size: 100 })
    await expect(send(server.props())).rejects.toMatchObject({ code: 'NOTICE_REFUSED' })
    expect(server.received).toEqual([])
  })
})

describe('unreachable', () => {
  test('is a server that is not there', async () => {
    const server = await MailServer.start()
    const props = server.props()
    await server[Symbol.asyncDispose]()
    await expect(send(props)).rejects.toMatchObject({
      code: 'NOTICE_UNREACHABLE',
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
    await expect(send(props)).rejects.toMatchObject({ code: 'NOTICE_UNREACHABLE' })
    await server.idle()
  })

  test('is a server that hangs up', async () => {
    await using server = await startRawServer((socket) => void socket.end())
    await expect(
      send({
        'email.host': '127.0.0.1',
        'email.port': String(server.port),
        'email.useSsl': 'false',
      }),
    ).rejects.toMatchObject({ code: 'NOTICE_UNREACHABLE' })
  })
})

describe('an abort', () => {
  test('ends it in the middle, and leaves no socket behind', async () => {
    const giveUp = new AbortController()
    await using server = await startRawServer((socket) => {
      socket.write('220 mail.example.com ESMTP\r\n')
      socket.once('data', () => giveUp.abort())
    })
    const sending = send(
      { 'email.host': '127.0.0.1', 'email.port': String(server.port), 'email.useSsl': 'false' },
      giveUp.signal,
    )
    await expect(sending).rejects.toThrow('it was given up')
    await server.idle()
  })

  test('that was there before keeps it from beginning', async () => {
    await using server = await MailServer.start()
    await expect(send(server.props(), AbortSignal.abort())).rejects.toThrow('it was given up')
    expect(server.received).toEqual([])
  })
})

test('with email.debug the conversation is logged, without the password', async () => {
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

test('a refusal is an error of its own, with nothing of the conversation attached', async () => {
  await using server = await MailServer.start()
  const error = await send(server.props({ 'email.password': 'wrong' })).catch((e: unknown) => e)
  expect(Object.keys(error as NoticeError).toSorted()).toEqual(['code', 'name'])
  expect((error as NoticeError).cause).toBeUndefined()
})
