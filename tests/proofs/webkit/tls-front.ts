/** Serves a site over https, as WebKit keeps no secure cookies of http://localhost, and hears what its pages report. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'

type Report = { kind: string; message: string; path: string }

export function openTlsFront(folder: string, port: number, sitePort: number) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-subj', '/CN=localhost']
  execFileSync('openssl', ['req', '-x509', ...made], { stdio: 'ignore' })
  const reports: Report[] = []
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (req, res) => {
    const headers = { ...req.headers, 'x-forwarded-for': '127.0.0.9', 'x-forwarded-proto': 'https' }
    const passed = request({ port: sitePort, method: req.method, path: req.url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    passed.on('error', () => res.destroy())
    if (req.url === '/reports') hear(req, (report) => reports.push(report))
    req.pipe(passed)
  })
  server.listen(port)
  return { reports, close: () => server.close() }
}

function hear(req: NodeJS.ReadableStream, tell: (report: Report) => void): void {
  let text = ''
  req.on('data', (chunk) => (text += chunk))
  req.on('end', () => tell(JSON.parse(text)))
}
