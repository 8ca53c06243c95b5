/** Serves the bare page by the framework alone, in a separate process. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRequestHandler } from '@remix-run/express'
import express from 'express'

const build = await import(pathToFileURL(join(import.meta.dirname, 'build/server/index.js')).href)

express()
  .disable('x-powered-by')
  .use(createRequestHandler({ build, mode: 'production' }))
  .listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'))
