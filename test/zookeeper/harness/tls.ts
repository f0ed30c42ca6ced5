import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { makeCertificates } from './certificates.ts'
import type { CertificateOptions, Certificates } from './certificates.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { ownedDirectory, removeOwnedDirectory } from './owned-process.ts'
import { startStandalone } from './standalone.ts'
import type { ZooKeeperOptions } from './zookeeper-config.ts'
import type { ZooKeeperProcess } from './zookeeper-process.ts'

/** A real server with a TLS port beside its plain one; it asks clients for a certificate. */
export interface TlsServer {
  readonly server: ZooKeeperProcess
  readonly securePort: number
  /** The connect string of the TLS port. */
  readonly connectString: string
  readonly certificates: Certificates
  stop(): Promise<void>
}

export async function startTlsServer(
  options: ZooKeeperOptions & CertificateOptions = {},
): Promise<TlsServer> {
  const directory = await ownedDirectory('tls')
  const certificates = await makeCertificates(directory, options)
  const { key, cert } = certificates.server
  await writeFile(join(directory, 'server-with-key.pem'), `${key}${cert}`)
  const securePort = await freePort()
  const server = await startStandalone({
    ...options,
    config: {
      // The default connection factory knows no TLS.
      serverCnxnFactory: 'org.apache.zookeeper.server.NettyServerCnxnFactory',
      secureClientPortAddress: '127.0.0.1',
      secureClientPort: securePort,
      'ssl.keyStore.location': join(directory, 'server-with-key.pem'),
      'ssl.trustStore.location': join(directory, 'ca.pem'),
      ...options.config,
    },
  })
  // The port for clients without TLS is open first.
  await eventually(() => isOpen(securePort), { what: 'a port with TLS' })
  return {
    server,
    securePort,
    connectString: `127.0.0.1:${securePort}`,
    certificates,
    async stop() {
      await server.stop()
      removeOwnedDirectory(directory)
    },
  }
}

async function isOpen(port: number): Promise<true | undefined> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}
