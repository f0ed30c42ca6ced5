import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A certificate and its key as PEM text, ready for `tls.connect`. */
interface Identity {
  readonly cert: string
  readonly key: string
}

/** A certificate authority of its own, and what it has signed. */
export interface Certificates {
  readonly ca: string
  readonly server: Identity
  readonly client: Identity
}

export interface CertificateOptions {
  /**
   * The names and addresses that the server's certificate is good for.
   * @default ['IP:127.0.0.1', 'DNS:localhost']
   */
  readonly serverNames?: readonly string[]
}

const certificateDefaults: Readonly<Required<CertificateOptions>> = Object.freeze({
  serverNames: ['IP:127.0.0.1', 'DNS:localhost'],
})

/** Makes certificates with openssl, in this directory. Two calls make two worlds without trust. */
export async function makeCertificates(
  directory: string,
  options: CertificateOptions = {},
): Promise<Certificates> {
  const { serverNames } = { ...certificateDefaults, ...options }
  await openssl(
    directory,
    `req -x509 ${newKey} ${shortLife} -subj /CN=test-authority -keyout ca.key -out ca.pem`,
  )
  return {
    ca: await readFile(join(directory, 'ca.pem'), 'utf8'),
    server: await signedIdentity(directory, 'server', serverNames),
    client: await signedIdentity(directory, 'client', ['DNS:client']),
  }
}

const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
const shortLife = '-days 2'

async function signedIdentity(
  directory: string,
  name: string,
  names: readonly string[],
): Promise<Identity> {
  await writeFile(join(directory, `${name}.ext`), `subjectAltName=${names.join(',')}\n`)
  await openssl(directory, `req ${newKey} -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`)
  await openssl(
    directory,
    `x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial ${shortLife}` +
      ` -extfile ${name}.ext -out ${name}.pem`,
  )
  return {
    cert: await readFile(join(directory, `${name}.pem`), 'utf8'),
    key: await readFile(join(directory, `${name}.key`), 'utf8'),
  }
}

/** None of the words of a command here has a space in it. */
async function openssl(directory: string, command: string): Promise<void> {
  await promisify(execFile)('openssl', command.split(' '), { cwd: directory })
}
