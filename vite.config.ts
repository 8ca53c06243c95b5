/// <reference types="vitest/config" />
import { resolve } from 'node:path'
import { vitePlugin as remix } from '@remix-run/dev'
import { defineConfig } from 'vitest/config'
import type { InlineConfig } from 'vitest/node'
import { oneByteSources } from './.config/one-byte-sources.ts'
import { pureDeclarations } from './.config/pure-declarations.ts'
import { trimRadix } from './.config/radix.ts'
import { followTextSize } from './.config/text-size.ts'
import { zodInEnglish } from './.config/zod.ts'
import { RetriedReporter } from './tests/support/retried-reporter.ts'

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true
  }
}

const site = remix({
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: true,
    v3_routeConfig: true,
    // One unauthenticated request to its manifest can stall the process for seconds.
    v3_lazyRouteDiscovery: false,
  },
})

/** The processes of the tests compile the same sources; a fresh build would gain nothing from a cache. */
if (process.env.VITEST) process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compiled')

/** Every suite runs on a real Postgres: `tests/support/postgres.ts` starts it and migrates a template. */
const suite = (name: string, include: string[], more: InlineConfig = {}) => ({
  test: {
    name,
    include,
    ...more,
    globalSetup: ['tests/support/postgres.ts'],
    setupFiles: ['tests/support/environment.ts'],
    // With a small young generation the garbage collector takes a seventh of the time of tests that draw many pages.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // On a busy machine an awaited result comes late.
    expect: { poll: { timeout: 15_000 } },
    // Node itself loads the built site and the server's modules: transformed by Vite, each call would be slower.
    server: { deps: { external: [/\/build\/server\//, /\/app\/(?!routes\/|ui\/).*(?<!\.test)\.ts$/] } },
  },
})

/** These set the configuration of their process, or count its statements; all others share processes. */
const CONFIGURED = [
  ...['auth-embedded', 'identity-house', 'pools-outside', 'web-monitoring', 'statements'],
  'named-statements',
  ...['files-bucket', 'files-folder', 'files-left', 'purging'],
].map((file) => `tests/api/**/${file}.test.ts`)

/** Code that all screens need, or all screens with forms, comes in three files instead of thirty. */
const FILES: Record<string, RegExp> = {
  react:
    /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@remix-run|turbo-stream)\/|commonjsHelpers/,
  form: /node_modules\/(zod|@conform-to)\/|app\/ui\/form\/(text|choice|file|admins|logo|phone)-input|app\/ui\/form\/(field|constraint|default-button|parse-form|schema-form|seen-version)\.|app\/domain\/(text\/(text|plain-words)|fields)\./,
  ui: /app\/ui\/(?!answered-lift|list\/pick-people).+\.tsx?$|app\/domain\/(access\/|text\/(figures|full-name|isolated|date-format)|sponsors\/brief|users\/(clock|form-scope))/,
}

const fileOf = (id: string) => Object.keys(FILES).find((name) => FILES[name]?.test(id))

/** Packages of hundreds of small modules each: bundled, they load in a third of the time, and without unused code. */
const BUNDLED = [
  ...[/^@radix-ui/, 'radix-ui', 'classnames', '@conform-to/react', '@conform-to/zod', '@conform-to/dom'],
  ...['kysely', 'zod', 'hono', '@hono/zod-openapi', '@hono/zod-validator', '@hono/node-server'],
  ...['@asteasolutions/zod-to-openapi', 'helmet', '@mjackson/headers', 'p-queue', 'aws4fetch', 'uqr'],
  ...['libphonenumber-js', 'hucre', 'yaml', 'arctic', 'remix-auth', 'remix-auth-oauth2', 'csv-parse'],
  ...['oidc-provider', 'jose', 'uuid', /^@oslojs/, /^@?otplib/, 'temporal-polyfill', 'temporal-utils'],
  ...['prom-client', '@opentelemetry/api', 'rate-limiter-flexible', 'nodemailer', /^d3-/],
  // Dependencies of these, of Radix and of react-markdown.
  /^(@scure|@noble|@edgefirst-dev\/data|internmap)/,
  /^(react-(remove-scroll|style-singleton)|use-(callback-ref|sidecar)|@floating-ui|aria-hidden)/,
  /^(react-markdown|unified|bail|trough|remark|mdast-util|micromark|hast-util|unist-util|vfile|html-url-attributes)/,
  /^(property-information|(comma|space)-separated-tokens|(decode-named-)?character-|@ungap|estree-util|devlop)/,
]

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: process.env.VITEST ? [] : [site, zodInEnglish, oneByteSources, pureDeclarations],
  // All at once: a dependency found while a page loads would give the page a second React.
  optimizeDeps: { entries: ['app/entry.client.tsx', 'app/root.tsx', 'app/routes/**/*.tsx'] },
  esbuild: { charset: 'ascii' },
  css: { postcss: { plugins: [trimRadix(), followTextSize()] } },
  build: {
    target: 'es2022',
    sourcemap: false,
    rollupOptions: { output: isSsrBuild ? {} : { manualChunks: fileOf, onlyExplicitManualChunks: true } },
  },
  // In development node loads them: Vite runs the CommonJS ones only when it bundles them.
  ssr: { noExternal: command === 'build' ? BUNDLED : [] },
  test: {
    // More workers than cores: half of the time a test waits for a clock, a process or PostgreSQL.
    maxWorkers: 4,
    // For real processes, clocks and kills. A test that passes only on retry is listed at the end: it has a bug.
    retry: 1,
    reporters: ['default', new RetriedReporter()],
    // Dropping a test's database ends the connections to it that are still closing.
    onUnhandledError: (error) => (error as { code?: unknown }).code !== '57P01',
    projects: [
      suite('unit', ['app/**/*.test.ts', 'tests/docs/*.test.ts'], { isolate: false }),
      suite('api', ['tests/api/**/*.test.ts'], { isolate: false, exclude: CONFIGURED }),
      suite('api configured', CONFIGURED),
      suite('screens', ['tests/screens/**/*.test.ts'], { isolate: false }),
    ],
  },
}))
