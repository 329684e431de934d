-- What statements of SQLite ask of JSON. SQLite takes no JSON for an error; the server's own operators fail on it.

CREATE FUNCTION lcm.json_valid(content text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
	PERFORM content::json;
	RETURN content IS NOT NULL;
EXCEPTION WHEN others THEN
	RETURN false;
END $$;

-- The value at a path such as $.a.b, as text: a truth value is 1 or 0. NULL where there is none, or no JSON.
CREATE FUNCTION lcm.json_cell(content text, path text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
	found json;
BEGIN
	found := content::json #> string_to_array(nullif(ltrim(path, '$.'), ''), '.');
	IF path = '$' THEN found := content::json; END IF;
	RETURN CASE json_typeof(found) WHEN 'boolean' THEN CASE found::text WHEN 'true' THEN '1' ELSE '0' END WHEN 'null' THEN NULL
		WHEN 'string' THEN found #>> '{}' ELSE found::text END;
EXCEPTION WHEN others THEN
	RETURN NULL;
END $$;

-- What is at a path, in SQLite's words: null, true, false, integer, real, text, array or object.
CREATE FUNCTION lcm.json_kind(content text, path text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
	found json;
BEGIN
	found := content::json #> string_to_array(nullif(ltrim(path, '$.'), ''), '.');
	IF path = '$' THEN found := content::json; END IF;
	RETURN CASE json_typeof(found) WHEN 'boolean' THEN found::text WHEN 'string' THEN 'text'
		WHEN 'number' THEN CASE WHEN found::text ~ '[.eE]' THEN 'real' ELSE 'integer' END ELSE json_typeof(found) END;
EXCEPTION WHEN others THEN
	RETURN NULL;
END $$;
