"""Talks to an MCP server as an assistant would and prints what it was told as JSON.

Usage: mcp_client.py COMMAND [ARGUMENT...]   starts the server, which sees the variables for stores and folders
       mcp_client.py URL                     a server over HTTP, with the token in MCP_TOKEN if that is set
"""

import asyncio
import contextlib
import json
import os
import sys

from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


def text_of(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


def outcome(result):
    return {"text": text_of(result), "is_error": bool(result.is_error), "structured": result.structured_content}


@contextlib.asynccontextmanager
async def server(command, arguments):
    if command.startswith("http://"):
        token = os.environ.get("MCP_TOKEN")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with create_mcp_http_client(headers=headers) as client:
            async with streamable_http_client(command, http_client=client) as streams:
                yield streams
    else:
        # The client's own library passes little of the environment on.
        environment = {name: value for name, value in os.environ.items() if name.startswith(("NEO4J_", "XDG_"))}
        parameters = StdioServerParameters(command=command, args=arguments, env=environment)
        async with stdio_client(parameters) as streams:
            yield streams


async def talk(command, arguments):
    report = {}
    async with server(command, arguments) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            report["tools"] = {tool.name: tool.model_dump(by_alias=True, exclude_none=True) for tool in tools}
            call = session.call_tool
            report["lookup"] = text_of(await call("lookup_entity", {"name": "ledger"}))
            report["schema"] = text_of(await call("get_neo4j_schema", {}))
            count = "MATCH (s:Service) RETURN count(s) AS services"
            report["read"] = outcome(await call("read_neo4j_cypher", {"query": count}))
            report["write_as_read"] = outcome(await call("read_neo4j_cypher", {"query": "MATCH (n) DETACH DELETE n"}))
            report["malformed"] = outcome(await call("lookup_entity", {"nom": "ledger"}))
            if "write_neo4j_cypher" in report["tools"]:
                write_call = {"query": "MATCH (s:Service {name: $name}) SET s.tier = 9", "params": {"name": "ledger"}}
                report["write"] = outcome(await call("write_neo4j_cypher", write_call))
                written = {"query": "MATCH (s:Service {name: 'ledger'}) RETURN s.tier AS tier"}
                report["written"] = outcome(await call("read_neo4j_cypher", written))
                report["new_label"] = outcome(await call("write_neo4j_cypher", {"query": "CREATE (:Nonsense)"}))
            else:
                report["unoffered"] = outcome(await call("write_neo4j_cypher", {"query": "MATCH (n) DETACH DELETE n"}))
            resources = (await session.list_resources()).resources
            documents = [resource for resource in resources if "/document/" in str(resource.uri)]
            ledger = next(resource for resource in documents if "ledger" in resource.name)
            report["document"] = (await session.read_resource(str(ledger.uri))).contents[0].text
            report["schema_resource"] = (await session.read_resource("graphwright://schema")).contents[0].text
            try:
                await session.read_resource("graphwright://document/nothing")
            except MCPError as error:
                report["missing"] = str(error)
            prompt = await session.get_prompt("answer_from_graph", {"question": "Who owns ledger?"})
            report["prompt"] = prompt.messages[0].content.text
    print(json.dumps(report))


asyncio.run(talk(sys.argv[1], sys.argv[2:]))
