import MailComposer from 'nodemailer/lib/mail-composer'

import type { Channel } from '../channel.ts'
import { notificationTextOf } from '../notification/notification-text.ts'
import { deliver } from './deliver.ts'
import { emailProblemsOf, emailSecretsOf, emailSettingsOf } from './settings.ts'

export const emailChannel: Channel = {
  type: 'EMAIL',
  problemsOf: emailProblemsOf,
  secretsOf: emailSecretsOf,
  async send(notification, props, { clock, signal, log }) {
    const settings = emailSettingsOf(props)
    const { from, to, cc, bcc, subject } = settings
    const text = notificationTextOf(notification)
    const composed = new MailComposer({
      from,
      to: [...to],
      cc: [...cc],
      bcc: [...bcc],
      subject,
      date: new Date(clock.now()),
      text,
      html: `<pre>${escaped(text)}</pre>`,
      // Marks the mail as generated, so that no automatic reply is sent.
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    }).compile()
    const { from: sender, to: receivers } = composed.getEnvelope()
    const mail = { from: sender || '', to: receivers, content: await composed.build() }
    await deliver(mail, settings, signal, log)
  },
}

/** Error messages may contain any characters. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
