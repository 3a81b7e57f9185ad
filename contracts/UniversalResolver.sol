// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface IRegistry {
    function resolver(bytes32 node) external view returns (address);
}

/// The interface of ENS's Universal Resolver, with its errors and its batches of gateway requests, over one registry.
contract UniversalResolver {
    struct Request {
        address sender;
        string[] urls;
        bytes data;
    }

    /// What a call of a resolver needs after its gateway has answered.
    struct Pending {
        address resolver;
        bool extended;
        bytes4 callback;
        bytes extra;
        /// 0: resolve, 1: the claim of a reverse record, 2: the forward record of a claim.
        uint8 step;
        bytes looked_up;
        string primary;
        address reverse_resolver;
    }

    IRegistry public immutable registry;
    string public gateway;

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error ResolverNotFound(bytes name);
    error ResolverNotContract(bytes name, address resolver);
    error UnsupportedResolverProfile(bytes4 selector);
    error ResolverError(bytes errorData);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);

    constructor(IRegistry registry_, string memory gateway_) {
        registry = registry_;
        gateway = gateway_;
    }

    function query(Request[] memory) external pure returns (bool[] memory, bytes[] memory) {
        revert("gateways answer it");
    }

    function findResolver(bytes memory name) public view returns (address resolver, bytes32 node, uint256 offset) {
        node = _namehash(name, 0);
        while (offset < name.length) {
            resolver = registry.resolver(_namehash(name, offset));
            if (resolver != address(0) || name[offset] == 0) return (resolver, node, offset);
            offset += 1 + uint8(name[offset]);
        }
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory, address) {
        Pending memory pending;
        (pending.resolver, pending.extended) = _require(name);
        (bytes memory result,) = _call(name, data, pending);
        return (result, pending.resolver);
    }

    function reverse(bytes calldata lookup, uint256) external view returns (string memory, address, address) {
        bytes memory name = abi.encodePacked(uint8(40), _digits(lookup), hex"0461646472077265766572736500");
        Pending memory pending;
        (pending.resolver, pending.extended) = _require(name);
        pending.step = 1;
        pending.looked_up = lookup;
        pending.reverse_resolver = pending.resolver;
        (bytes memory said,) =
            _call(name, abi.encodeWithSignature("name(bytes32)", _namehash(name, 0)), pending);
        return _claimed(said, pending);
    }

    function answered(bytes calldata response, bytes calldata extra) external view returns (bytes memory) {
        Pending memory pending = abi.decode(extra, (Pending));
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        if (failures[0]) _raise(responses[0]);
        (bool ok, bytes memory out) =
            pending.resolver.staticcall(abi.encodeWithSelector(pending.callback, responses[0], pending.extra));
        if (!ok) revert ResolverError(out);
        if (pending.extended) out = abi.decode(out, (bytes));
        bytes memory result;
        if (pending.step == 0) {
            result = abi.encode(out, pending.resolver);
        } else {
            (string memory primary, address one, address other) =
                pending.step == 1 ? _claimed(out, pending) : _verified(out, pending);
            result = abi.encode(primary, one, other);
        }
        assembly {
            return(add(result, 32), mload(result))
        }
    }

    function _claimed(bytes memory said, Pending memory pending)
        private
        view
        returns (string memory, address, address)
    {
        pending.primary = abi.decode(said, (string));
        if (bytes(pending.primary).length == 0) return ("", address(0), pending.reverse_resolver);
        bytes memory name = _encode(bytes(pending.primary));
        (pending.resolver, pending.extended) = _require(name);
        pending.step = 2;
        (bytes memory led,) = _call(name, abi.encodeWithSignature("addr(bytes32)", _namehash(name, 0)), pending);
        return _verified(led, pending);
    }

    function _verified(bytes memory led, Pending memory pending)
        private
        pure
        returns (string memory, address, address)
    {
        bytes memory primary_address = abi.encodePacked(abi.decode(led, (address)));
        if (keccak256(primary_address) != keccak256(pending.looked_up)) {
            revert ReverseAddressMismatch(pending.primary, primary_address);
        }
        return (pending.primary, pending.resolver, pending.reverse_resolver);
    }

    function _require(bytes memory name) private view returns (address resolver, bool extended) {
        uint256 offset;
        (resolver,, offset) = findResolver(name);
        if (resolver == address(0)) revert ResolverNotFound(name);
        if (resolver.code.length == 0) revert ResolverNotContract(name, resolver);
        (bool ok, bytes memory out) =
            resolver.staticcall(abi.encodeWithSignature("supportsInterface(bytes4)", bytes4(0x9061b923)));
        extended = ok && out.length == 32 && abi.decode(out, (bool));
        if (offset != 0 && !extended) revert ResolverNotFound(name);
    }

    function _call(bytes memory name, bytes memory data, Pending memory pending)
        private
        view
        returns (bytes memory, bool)
    {
        bytes memory call = pending.extended ? abi.encodeWithSignature("resolve(bytes,bytes)", name, data) : data;
        (bool ok, bytes memory out) = pending.resolver.staticcall(call);
        if (!ok) {
            if (out.length >= 4 && bytes4(out) == OffchainLookup.selector) _look(_skip(out), pending);
            revert ResolverError(out);
        }
        if (out.length == 0) revert UnsupportedResolverProfile(bytes4(data));
        return (pending.extended ? abi.decode(out, (bytes)) : out, true);
    }

    function _look(bytes memory lookup, Pending memory pending) private view {
        Request[] memory requests = new Request[](1);
        (requests[0].sender, requests[0].urls, requests[0].data, pending.callback, pending.extra) =
            abi.decode(lookup, (address, string[], bytes, bytes4, bytes));
        string[] memory urls = new string[](1);
        urls[0] = gateway;
        revert OffchainLookup(
            address(this), urls, abi.encodeCall(this.query, (requests)), this.answered.selector, abi.encode(pending)
        );
    }

    function _raise(bytes memory error) private pure {
        assembly {
            revert(add(error, 32), mload(error))
        }
    }

    function _skip(bytes memory data) private pure returns (bytes memory rest) {
        rest = new bytes(data.length - 4);
        for (uint256 i; i < rest.length; ++i) rest[i] = data[i + 4];
    }

    function _namehash(bytes memory name, uint256 at) private pure returns (bytes32) {
        uint256 size = uint8(name[at]);
        if (size == 0) return 0;
        bytes memory label = new bytes(size);
        for (uint256 i; i < size; ++i) label[i] = name[at + 1 + i];
        return keccak256(abi.encodePacked(_namehash(name, at + 1 + size), keccak256(label)));
    }

    function _encode(bytes memory name) private pure returns (bytes memory wire) {
        wire = abi.encodePacked(bytes1(0), name, bytes1(0));
        uint256 start;
        for (uint256 i; i <= name.length; ++i) {
            if (i < name.length && name[i] != ".") continue;
            wire[start] = bytes1(uint8(i - start));
            start = i + 1;
        }
    }

    function _digits(bytes memory data) private pure returns (bytes memory text) {
        text = new bytes(data.length * 2);
        for (uint256 i; i < text.length; ++i) {
            uint8 nibble = i % 2 == 0 ? uint8(data[i / 2]) >> 4 : uint8(data[i / 2]) & 15;
            text[i] = bytes1(nibble < 10 ? 48 + nibble : 87 + nibble);
        }
    }
}

/// Tells callers apart: whoever reads it without the Universal Resolver gets the other address (as ur.gtest.eth).
contract CallerResolver {
    address public immutable universal;

    constructor(address universal_) {
        universal = universal_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x3b3b57de;
    }

    function addr(bytes32) external view returns (address) {
        return msg.sender == universal
            ? 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE
            : 0x1111111111111111111111111111111111111111;
    }
}
