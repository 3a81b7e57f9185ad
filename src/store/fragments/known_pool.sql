-- A pool by what was announced or read of it: a pool that an unknown factory announced too is the known one's.
lower(hex(pool)) AS pool,
argMax(family, venue != '') AS family,
argMax(venue, venue != '') AS venue,
lower(hex(argMax(factory, venue != ''))) AS factory,
lower(hex(argMax(token0, venue != ''))) AS token0,
lower(hex(argMax(token1, venue != ''))) AS token1,
argMax(fee_ppm, venue != '') AS fee_ppm,
argMax(tick_spacing, venue != '') AS tick_spacing,
