// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Keeps its names outside the chain (EIP-3668): a caller asks the gateway and brings back what `signer` signed, in the
/// manner of ENS's offchain-resolver.
contract OffchainResolver {
    address public immutable signer;
    string public url;

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    constructor(address signer_, string memory url_) {
        signer = signer_;
        url = url_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x9061b923;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        bytes memory request = abi.encodeCall(this.resolve, (name, data));
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, request, this.resolveWithProof.selector, request);
    }

    /// `response` is (result, expiry, signature over this contract, expiry, request and result).
    function resolveWithProof(bytes calldata response, bytes calldata request) external view returns (bytes memory) {
        (bytes memory result, uint64 expires, bytes memory signature) = abi.decode(response, (bytes, uint64, bytes));
        require(expires >= block.timestamp, "OffchainResolver: expired");
        bytes32 hash =
            keccak256(abi.encodePacked(hex"1900", address(this), expires, keccak256(request), keccak256(result)));
        require(_recover(hash, signature) == signer, "OffchainResolver: not signed");
        return result;
    }

    function _recover(bytes32 hash, bytes memory signature) private pure returns (address) {
        require(signature.length == 65, "OffchainResolver: signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        return ecrecover(hash, v, r, s);
    }
}
