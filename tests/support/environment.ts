/** Tests say themselves what they run with: nothing of the caller's configuration reaches them. */
for (const name of Object.keys(process.env))
  if (/^(DATABASE_|FILES_|APP_SECRET|PUBLIC_ORIGIN|API_BASE_URL|DATA_DIR|PORT|HOST|DEMO|ROLE)/.test(name))
    delete process.env[name]
