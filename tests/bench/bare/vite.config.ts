import { vitePlugin as remix } from '@remix-run/dev'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [remix({ future: { v3_singleFetch: true, v3_routeConfig: true, v3_lazyRouteDiscovery: false } })],
  ssr: { noExternal: [/^@radix-ui/] },
})
