import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A self-signed certificate for this machine. */
export function makeCertificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'elasticjob-tls-'))
  try {
    const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1'
    const subject = '-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1,DNS:localhost'
    const args = `req ${options} ${subject} -keyout key.pem -out cert.pem`.split(' ')
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
    return {
      key: readFileSync(join(folder, 'key.pem'), 'utf8'),
      cert: readFileSync(join(folder, 'cert.pem'), 'utf8'),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
